import { z } from "zod";
import { CommandError } from "./command-error";
import { ask, unexpected } from "./remote-service";

const metadataSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  introspection_endpoint: z.string(),
  device_authorization_endpoint: z.string(),
});
export type Endpoints = z.output<typeof metadataSchema>;

/** The device endpoints of a service, from its metadata document (RFC 8414); none may be outside the service. */
export async function endpointsOf(service: string): Promise<Endpoints> {
  const reply = await ask(`${service}/.well-known/oauth-authorization-server`);
  const parsed = metadataSchema.safeParse(reply.json);
  if (reply.status !== 200 || !parsed.success) {
    if (reply.status === 429) throw unexpected(reply, "Asking how to sign in");
    throw new CommandError(`${service} is not a Parquetry service that supports device sign-in.`);
  }
  const { issuer, ...endpoints } = parsed.data;
  if (issuer !== service) throw new CommandError(`The service's own URL is ${issuer}. Use that: --url ${issuer}`);
  const foreign = Object.values(endpoints).find((address) => !address.startsWith(`${issuer}/`));
  if (foreign !== undefined)
    throw new CommandError(`${service} refers to ${foreign}, which belongs to another host. Nothing was sent.`);
  return parsed.data;
}
