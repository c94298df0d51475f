// The server that the protocol's own suite calls, on the connector's transport. Started by conformance.config.ts.
import { serveProtocol } from "@/lib/testing/connector-server";
import { answerFixture } from "@/lib/testing/protocol-fixture";

const served = await serveProtocol(answerFixture, Number(process.env.PORT));
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.on(signal, () => void served.close().then(() => process.exit(0)));
