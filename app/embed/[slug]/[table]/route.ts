import { answerFrame } from "@/app/embed/answer-frame";
import { nextHandlers } from "@/lib/http/next-handlers";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextHandlers(answerFrame);
