import type { TryReply } from "./send-call";

/** The response: status, the headers that matter, the body as received. */
export function TryResult({ reply: { status, statusText, ms, headers, body, trouble } }: { reply: TryReply }) {
  return (
    <div className="try-result">
      {status > 0 && (
        <p>
          <b className={status < 400 ? "text-accent" : "text-danger"}>
            {status} {statusText}
          </b>{" "}
          <span className="text-muted">in {ms.toLocaleString("en")} ms</span>
        </p>
      )}
      {trouble && (
        <p role="alert" className="try-trouble">
          {trouble}
        </p>
      )}
      {headers.length > 0 && (
        <details>
          <summary className="link text-sm">Headers</summary>
          <dl>
            {headers.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {body && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard.
        <pre tabIndex={0}>
          <code>{body}</code>
        </pre>
      )}
    </div>
  );
}
