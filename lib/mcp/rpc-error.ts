import { envelope } from "@/lib/http/envelope";
import type { Failure } from "@/lib/kernel/errors";

const RPC_CODES: Readonly<Record<string, number>> = {
  invalid_json: -32_700,
  invalid_request: -32_600,
  invalid_value: -32_602,
  internal: -32_603,
  key_missing: -32_001,
  key_invalid: -32_001,
};

/** An error before any tool ran: a JSON-RPC error whose `data` is the service's own envelope. */
export function rpcError(failure: Failure, requestId: string, id: string | number | null = null): string {
  const body = envelope(failure, requestId);
  return JSON.stringify({
    jsonrpc: "2.0",
    id,
    error: { code: RPC_CODES[failure.code] ?? -32_000, message: failure.message, data: body },
  });
}
