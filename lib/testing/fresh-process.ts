import { forgetAllProcessWide } from "@/lib/kernel/process-wide";

// Runs before each file that shares a process, so that nothing remains of the previous file.
forgetAllProcessWide();
