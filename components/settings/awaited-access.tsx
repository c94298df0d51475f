/** What will stand here, and what to do until it does. */
export function AwaitedAccess() {
  return (
    <p className="mt-4 max-w-prose text-muted text-sm">
      Devices that sign in from a command line will stand here too, once there is one. Until then, give a program on a device a use key of its own, so that it
      can be revoked by itself.
    </p>
  );
}
