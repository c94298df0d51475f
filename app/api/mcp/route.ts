import { answerConnector } from "@/lib/mcp/connector";

export {
  answerConnector as DELETE,
  answerConnector as GET,
  answerConnector as HEAD,
  answerConnector as OPTIONS,
  answerConnector as PATCH,
  answerConnector as POST,
  answerConnector as PUT,
};
