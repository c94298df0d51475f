import { completable, type GetPromptResult, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Context } from "@/lib/access/context";
import { completedSlugs } from "./completed-slugs";

const SLUG_MAX = 200;
const QUESTION_MAX = 2000;

/** Conversation starters that a person picks in their client. */
export function addPrompts(server: McpServer, ctx: Context): void {
  const slug = completable(z.string().max(SLUG_MAX).describe("Slug of the dataset."), (begun) =>
    completedSlugs(begun, ctx),
  );
  const explore = {
    title: "Explore a dataset",
    description: "What a dataset holds, how good it is, and what it can answer.",
    argsSchema: z.object({ dataset: slug }),
  };
  server.registerPrompt("explore_dataset", explore, ({ dataset }) => promptResult(exploreText(dataset)));
  const answer = {
    title: "Answer with a citation",
    description: "Answers a question using only published tables, and cites dataset, version and digest.",
    argsSchema: z.object({ question: z.string().max(QUESTION_MAX).describe("What you want to know.") }),
  };
  server.registerPrompt("answer_with_citation", answer, ({ question }) => promptResult(answerText(question)));
}

const promptResult = (text: string): GetPromptResult => ({
  messages: [{ role: "user", content: { type: "text", text } }],
});

const exploreText = (dataset: string): string =>
  [
    `Explore the Parquetry dataset ${JSON.stringify(dataset)}.`,
    "1. Call get_dataset, then get_table_schema of each table.",
    "2. Say what one row is, which period and places it covers, how many rows there are, and which columns have gaps.",
    "3. Name its publisher, its licence, and whether it is kept up to date.",
    "4. Suggest five questions that it can answer, and answer the most telling one with query_table.",
    "Cite every figure with the result's citation.",
  ].join("\n");

const answerText = (question: string): string =>
  [
    "Answer this question using only datasets on Parquetry:",
    question,
    "",
    "Find the dataset with search, read get_table_schema, and let query_table filter, count and sum. If no dataset " +
      "holds the answer, say so and name what is missing. If a result is PARTIAL, narrow the query or read on. End " +
      "with the citation: dataset, table, version, digest, time of the query.",
  ].join("\n");
