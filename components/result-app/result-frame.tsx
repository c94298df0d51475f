import type { ReactNode } from "react";

interface Props {
  /** Dataset and table. */
  title: string;
  /** How much of the result is shown. */
  status: string;
  /** The query as a sentence. */
  sentence?: string;
  children: ReactNode;
  citation?: string | undefined;
  link: { url: string; text: string };
  open(url: string): void;
}

/** A result with its title above, and its citation and a link to the same on the service below. */
export function ResultFrame({ title, status, sentence, children, citation, link, open }: Props) {
  return (
    <>
      <header className="embed-head">
        <h1>{title}</h1>
        <p>
          <b>{status}</b>
          {sentence && `. ${sentence}`}
        </p>
      </header>
      <main className="embed-main">{children}</main>
      <footer className="embed-foot result-foot">
        {citation && <p className="result-citation">{citation}</p>}
        <p>
          <a
            href={link.url}
            rel="noopener"
            target="_blank"
            onClick={(event) => {
              event.preventDefault(); // a frame without permission cannot open links; its host can
              open(link.url);
            }}
          >
            {link.text}
          </a>
        </p>
        <p id="address" className="result-address" role="status" />
      </footer>
    </>
  );
}

/** A heading over one part of a result. */
export function ResultPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="result-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
