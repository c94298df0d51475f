import type { Command } from "commander";
import { doctor } from "@/lib/publish/doctor";
import { verifyBlobs } from "@/lib/publish/verify";
