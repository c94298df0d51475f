import { ConfirmButton } from "@/components/form/confirm-button";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Sessions } from "@/lib/schemas/account";

/** The browsers that are signed in. */
export function SessionList({ sessions, now }: { sessions: Sessions["sessions"]; now: Date }) {
  return (
    <ul className="rows">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="min-w-0">
            <p className="font-medium">
              {session.browser} {session.current && <Badge tone="accent">this one</Badge>}
            </p>
            <p className="mt-0.5 text-muted text-xs">
              Signed in <RelativeTime at={session.created_at} now={now} />, last seen{" "}
              <RelativeTime at={session.last_seen_at} now={now} />
            </p>
          </div>
          {!session.current && (
            <ConfirmButton
              path={`/api/account/sessions/${session.id}`}
              label="Sign out"
              describes={session.browser}
              title={`Sign out ${session.browser}?`}
              confirm="Sign out"
              done={`${session.browser} is signed out.`}
              focusAfter="sessions"
            >
              <p>That browser has to sign in again. Unsaved input there is lost.</p>
            </ConfirmButton>
          )}
        </li>
      ))}
    </ul>
  );
}
