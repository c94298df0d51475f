import { z } from "zod";

export const timestampSchema = z.iso.datetime({ precision: 3 }).describe("ISO 8601, UTC.");
