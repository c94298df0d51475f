/** An email address that breaks before its @ if it is too long for the line. */
export function EmailAddress({ text }: { text: string }) {
  const at = text.lastIndexOf("@");
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}
