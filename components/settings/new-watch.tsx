import { StudioForm } from "@/components/form/studio-form";
import { TextField } from "@/components/form/text-field";
import { Button } from "@/components/ui/button";
import { NEWS_KIND_NAMES, NEWS_KINDS, type NewsKind } from "@/lib/schemas/news";

const EMAILED: readonly NewsKind[] = NEWS_KIND_NAMES.filter((kind) => kind !== "approval_asked");

interface Props {
  /** Made by `studioFields` for each channel. */
  fields: (channel: "webhook" | "email") => Readonly<Record<string, string>>;
  /** The person's confirmed address; undefined where it cannot be emailed. */
  email: string | undefined;
}

/** Plain forms for a further webhook, and for emails to oneself. */
export const NewWatch = ({ fields, email }: Props) => (
  <div className="space-y-3">
    <details className="rounded-lg border border-line px-4 py-3">
      <summary className="cursor-pointer font-medium">Add a webhook</summary>
      <StudioForm fields={fields("webhook")} className="mt-4 space-y-4">
        <input type="hidden" name="channel" value="webhook" />
        <TextField
          name="url"
          type="url"
          label="Address"
          hint="A public address that starts with https://. Each message is signed with a secret shown once."
          placeholder="https://hooks.example.org/parquetry"
          maxLength={2000}
          required
        />
        <About />
        <Events kinds={NEWS_KIND_NAMES} />
        <Button type="submit" look="primary">
          Add webhook
        </Button>
      </StudioForm>
    </details>
    {email && (
      <details className="rounded-lg border border-line px-4 py-3">
        <summary className="cursor-pointer font-medium">Email me</summary>
        <StudioForm fields={fields("email")} className="mt-4 space-y-4">
          <input type="hidden" name="channel" value="email" />
          <p className="text-muted text-sm">To {email}. Those who may decide on an approval are emailed in any case.</p>
          <About />
          <Events kinds={EMAILED} />
          <Button type="submit" look="primary">
            Email me
          </Button>
        </StudioForm>
      </details>
    )}
  </div>
);

const About = () => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      name="watched"
      label="Dataset"
      hint="The last part of its address, such as river-levels. All of the workspace's datasets if empty."
      maxLength={100}
      autoCapitalize="none"
      spellCheck={false}
    />
    <TextField name="watched_table" label="Table" hint="All tables if empty." maxLength={100} autoCapitalize="none" />
  </div>
);

const Events = ({ kinds }: { kinds: readonly NewsKind[] }) => (
  <fieldset>
    <legend className="mb-1.5 font-medium text-sm">Events</legend>
    <ul className="space-y-2">
      {kinds.map((kind) => (
        <li key={kind}>
          <label className="flex items-start gap-2.5 text-sm">
            <input type="checkbox" name={kind} value="yes" defaultChecked={kind === "released"} className="mt-1" />
            <span>
              {NEWS_KINDS[kind].title}
              <span className="block text-muted text-xs">{NEWS_KINDS[kind].meaning}</span>
            </span>
          </label>
        </li>
      ))}
    </ul>
  </fieldset>
);
