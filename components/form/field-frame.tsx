import type { ReactNode } from "react";

/** Label, control, hint and fault of a field, tied together by `id`. */
export function FieldFrame({
  id,
  label,
  hint,
  fault,
  children,
}: {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  fault?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block font-medium text-sm">
        {label}
      </label>
      {children}
      {fault && (
        <p id={`${id}-fault`} className="mt-1.5 text-danger text-sm">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}
