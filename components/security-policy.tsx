/** How to report a vulnerability, and to whom; `contact` is a mailto: or https: address, or absent. */
export function SecurityPolicy({ contact }: { contact: string | undefined }) {
  return (
    <div className="max-w-prose space-y-3">
      <p>
        {contact ? (
          <>
            Found a way to read, change or stop what you should not? Write to{" "}
            <a className="link" href={contact}>
              {contact.replace(/^mailto:/, "")}
            </a>
            . Say which address it is about, what you did and what happened. Leave out keys, passwords and other people&rsquo;s data.
          </>
        ) : (
          "Whoever runs this service has named no address for reports of vulnerabilities."
        )}
      </p>
      <p className="text-muted">
        Try things with an account and a workspace of your own, take no more than shows the fault, slow the service down for nobody, and leave time to mend it
        before you publish.
      </p>
    </div>
  );
}
