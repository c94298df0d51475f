import { baseUrl } from "@/lib/kernel/env";
import { CommandError } from "./command-error";
import { readCredentials } from "./credential-file";
import { serviceAddress } from "./remote-service";

export interface ChosenService {
  service: string;
  credential: string | undefined;
}

/**
 * The service that a command calls: the named one, otherwise the one last signed in to, otherwise the one in this
 * machine's settings.
 */
export function chosenService(url: string | undefined): ChosenService {
  const { current, services } = readCredentials();
  const service = serviceAddress(url ?? current ?? baseUrl());
  return { service, credential: services[service]?.credential };
}

/** The same for commands that require a sign-in. */
export function signedInService(url: string | undefined): { service: string; credential: string } {
  const { service, credential } = chosenService(url);
  if (credential === undefined && url === undefined && Object.keys(readCredentials().services).length === 0)
    throw new CommandError(`Not signed in. Run: ${loginLine("URL")}, with the service's URL`, "notSignedIn");
  if (credential === undefined)
    throw new CommandError(`Not signed in to ${service}. Run: ${loginLine(service)}`, "notSignedIn");
  return { service, credential };
}

/** For a credential that stopped working: revoked on the page, expired, or its person left the workspace. */
export const endedText = (service: string): string =>
  `${service} rejected this device. It was revoked or has expired. Sign in again with: ${loginLine(service)}`;

export const loginLine = (service: string): string => `parquetry login --url ${service}`;
