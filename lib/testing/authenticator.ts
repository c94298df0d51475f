import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { baseUrl } from "@/lib/kernel/env";

const sha256 = (bytes: string | Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** An authenticator as WebAuthn describes it: its keys, and answers to challenges, as a browser sends them. */
export class Authenticator {
  readonly credentialId = randomBytes(16).toString("base64url");
  counter = 0;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });

  /** The public key in the form of COSE: EC2, ES256, P-256. */
  get publicKey(): Uint8Array<ArrayBuffer> {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const part = (head: string, text: string) => [Buffer.from(head, "hex"), Buffer.from(text, "base64url")];
    return new Uint8Array(
      Buffer.concat([Buffer.from("a5010203262001", "hex"), ...part("215820", x), ...part("225820", y)]),
    );
  }

  /** Its answer to a challenge, given on a page of `origin`. */
  answer(challenge: string, { origin = baseUrl() } = {}) {
    const clientData = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }));
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const data = Buffer.concat([sha256(new URL(baseUrl()).hostname), Buffer.from([1]), counter]);
    const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: "public-key" as const,
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    };
  }
}
