/** Ends this browser's session. A plain form: it works without script. */
export function SignOutForm() {
  return (
    <form method="post" action="/api/auth/signout">
      <input type="hidden" name="callbackUrl" value="/" />
      <button type="submit" className="button button-small">
        Sign out
      </button>
    </form>
  );
}
