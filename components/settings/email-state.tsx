import { Badge } from "@/components/ui/badge";
import { EmailAddress } from "@/components/ui/email-address";
import { PostButton } from "./post-button";

/** An account's email address, and whether it is confirmed. */
export function EmailState({ email, verified, canMail }: { email: string; verified: boolean; canMail: boolean }) {
  return (
    <div className="mt-6 max-w-md text-sm">
      <p className="font-medium">Email</p>
      <p className="mt-1 break-words">
        <EmailAddress text={email} />{" "}
        <Badge tone={verified ? "ok" : "neutral"}>{verified ? "confirmed" : "not confirmed"}</Badge>
      </p>
      {!verified && canMail && (
        <div className="mt-3">
          <PostButton path="/api/account/verification-mail" body={{ email }} done="Confirmation email sent." small>
            Email me a confirmation link
          </PostButton>
        </div>
      )}
      {!verified && !canMail && (
        <p className="mt-1.5 text-muted text-xs">Email isn’t set up here. You don’t need to confirm your address.</p>
      )}
    </div>
  );
}
