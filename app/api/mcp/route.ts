import { answerConnector } from "@/lib/mcp/connector";

const answer = (request: Request): Promise<Response> => answerConnector(request, "/api/mcp");

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
