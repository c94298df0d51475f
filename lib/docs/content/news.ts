import { type DocContent, h2, list, name, table, text } from "@/lib/docs/doc";
import { RECEIVER, webhookBody } from "@/lib/docs/samples/news";
import { formatCount } from "@/lib/kernel/format";
import { NEWS_KIND_NAMES, NEWS_KINDS } from "@/lib/schemas/news-kinds";
import { WAITING_MAX } from "@/lib/schemas/watch";

export const news: DocContent = ({ place: { base } }) => [
  text(
    "A watch notifies a program (webhook) or a person (email) of what happens to a dataset. Create one under " +
      "Settings, Watches, or with `POST /api/account/workspaces/{workspace_id}/watches`. Atom feeds need no account: " +
      "`/datasets.atom` announces newly published datasets to everybody; `/datasets/{slug}/versions.atom` the " +
      "versions of a dataset, and when its tables go stale or recover; `/datasets/{slug}/{table}/versions.atom` does " +
      "so for one table. Agents poll the connector’s resource `parquetry://updated` and compare ids: the connector " +
      "keeps no session that could be notified.",
  ),
  table(
    "Events",
    ["Event", "When", "Who may watch"],
    NEWS_KIND_NAMES.map((kind) => [
      name(kind),
      NEWS_KINDS[kind].meaning,
      NEWS_KINDS[kind].isOpen ? "Anyone who can read the dataset" : "Members of its workspace",
    ]),
  ),
  h2("webhooks", "Webhooks"),
  text(
    "A webhook is a `POST` of JSON to a public https URL, signed according to Standard Webhooks, which has libraries " +
      "for most languages. `url` is the page with more details; the other members of `data` describe the event.",
  ),
  { kind: "code", label: "The body of a released event", language: "json", code: webhookBody(base) },
  table(
    "Headers",
    ["Header", "Value"],
    [
      ["`webhook-id`", "The message’s id: the same for every attempt, so that a receiver can drop duplicates."],
      [
        "`webhook-timestamp`",
        "The time of this attempt, in seconds since 1970. Reject messages older than five minutes.",
      ],
      ["`webhook-signature`", "`v1,` and the HMAC-SHA256 over `id.timestamp.body`, in base64."],
      ["`webhook-attempt`", "1 for the first attempt; if it is higher, the message may have arrived before."],
    ],
  ),
  { kind: "code", label: "A receiver in Node.js, without a library", language: "javascript", code: RECEIVER },
  text(
    "The secret, `whsec_…`, is shown once, when the webhook is created or its secret replaced. It is stored " +
      "encrypted, bound to its URL.",
  ),
  h2("deliveries", "Deliveries"),
  list(
    "Reply with any status from 200 to 299 within 10 seconds, or 5 if your last reply was anything else. Redirects " +
      "are not followed, and the body of the reply is not read.",
    "After anything else, the message is sent again after 5 seconds, 1, 5 and 30 minutes, 2, 5, 10 and 10 hours; " +
      "`Retry-After` can lengthen a pause. Then it is given up.",
    "410 disables the webhook at once, as does giving up a message when none has arrived for three days. Owners " +
      "are then emailed, and events that happen before it is enabled again are not sent.",
    "A message is written in the same transaction as its event: nothing that was rolled back is announced, and no " +
      "message is lost when the service stops. One that was being sent at that moment is sent again, with the next " +
      "attempt’s number.",
    "Webhooks of one workspace are sent one at a time, as are its emails, and workspaces take turns: a receiver that " +
      "does not answer delays only those of its own workspace. Messages do not always arrive in the order of their " +
      "events: compare `timestamp`.",
    `At most ${formatCount(WAITING_MAX)} messages of a workspace wait at the same time. News beyond that is listed ` +
      "as given up, and can be sent again later.",
    "The deliveries of the last 30 days are listed with the receivers’ replies; each can be sent again. Events " +
      "themselves are kept for 400 days.",
  ),
];
