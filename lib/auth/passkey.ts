import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { baseUrl } from "@/lib/kernel/env";
import type { NewPasskey, Passkey } from "@/lib/store/people/passkeys";

/** How long an authenticator's answer may take. */
export const CHALLENGE_MS = 5 * 60_000;

/** EdDSA, ES256 and RS256 in COSE, which all authenticators have one of. */
const ALGORITHMS = [-8, -7, -257];

/** The service as authenticators know it: the host of its public URL. */
const relyingParty = () => {
  const { hostname, origin } = new URL(baseUrl());
  return { expectedRPID: hostname, expectedOrigin: origin };
};

/** Whether browsers offer passkeys to pages of this service: over TLS, or on one's own machine, under a name. */
export function canPasskey(): boolean {
  const { protocol, hostname } = new URL(baseUrl());
  return hostname === "localhost" || (protocol === "https:" && !/^[\d.]+$|^\[/.test(hostname));
}

const credentialsOf = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credentialId: id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] }));

/** What a browser needs to make a passkey for a person, who cannot use one that they have already added. */
export const creationOptions = (
  person: { userId: string; email: string },
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  generateRegistrationOptions({
    rpName: "Parquetry",
    rpID: relyingParty().expectedRPID,
    userID: new Uint8Array(Buffer.from(person.userId.replaceAll("-", ""), "hex")),
    userName: person.email,
    timeout: CHALLENGE_MS,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: credentialsOf(passkeys),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });

/** What a browser needs to ask for one of a person's passkeys. */
export const requestOptions = (passkeys: readonly Passkey[]): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  generateAuthenticationOptions({
    rpID: relyingParty().expectedRPID,
    timeout: CHALLENGE_MS,
    allowCredentials: credentialsOf(passkeys),
    userVerification: "preferred",
  });

/**
 * The passkey in an authenticator's answer; undefined unless it answers this challenge, from a page of this service.
 * The passkey is the second proof, so possession is enough: whether the person entered a PIN is not checked.
 */
export async function createdPasskey(
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<Pick<NewPasskey, "credentialId" | "publicKey" | "counter" | "transports"> | undefined> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...{ response, ...relyingParty(), expectedChallenge: challenge, requireUserVerification: false },
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(rejected);
  if (!verified || !registrationInfo) return undefined;
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { credentialId, publicKey: new Uint8Array(publicKey), counter: BigInt(counter), transports };
}

/** The new counter of a passkey that answered this challenge; undefined if the answer is not its own, or a copy's. */
export async function confirmedCounter(
  response: AuthenticationResponseJSON,
  challenge: string,
  { credentialId: id, publicKey, counter }: Passkey,
): Promise<bigint | undefined> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...{ response, ...relyingParty(), expectedChallenge: challenge, requireUserVerification: false },
    credential: { id, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
  }).catch(rejected);
  return verified && authenticationInfo ? BigInt(authenticationInfo.newCounter) : undefined;
}

/** The library throws for every answer that is not as expected. */
const rejected = () => ({ verified: false as const, registrationInfo: undefined, authenticationInfo: undefined });
