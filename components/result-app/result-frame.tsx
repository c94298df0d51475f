import type { ReactNode } from "react";

interface Props {
  /** Dataset and table. */
  title: string;
  /** How much of what is shown. */
  status: string;
  /** What was asked, in a sentence. */
  sentence?: string;
  children: ReactNode;
  citation?: string | undefined;
  link: { url: string; text: string };
  open(url: string): void;
}

/** A result with its title above, and below its citation and the page of the service that shows the same. */
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
              event.preventDefault(); // a frame without leave opens nothing; its host does
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
