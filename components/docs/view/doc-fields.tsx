import type { Field } from "@/lib/docs/doc";
import { InlineText } from "./inline-text";

/** Parameters, or the fields of a body or reply: name, type and description. */
export function DocFields({ label, fields }: { label: string; fields: readonly Field[] }) {
  return (
    <dl aria-label={label} className="doc-fields">
      {fields.map(({ name, type, isRequired, text }) => (
        <div key={name}>
          <dt>
            <code>{name}</code> <span>{type}</span>
            {isRequired && <b>required</b>}
          </dt>
          {text && (
            <dd>
              <InlineText text={text} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
