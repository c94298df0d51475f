import { StudioForm } from "@/components/form/studio-form";
import { Button } from "@/components/ui/button";

interface Props {
  texts: { title: string; summary: string; description: string };
  fields: Readonly<Record<string, string>>;
}

/** The form for a dataset's title, summary and description. Works without script. */
export const DatasetTexts = ({ texts: { title, summary, description }, fields }: Props) => (
  <StudioForm fields={fields} className="max-w-3xl space-y-4">
    <label className="block text-sm">
      <span className="mb-1 block font-medium">Title</span>
      <input className="field w-full" name="title" defaultValue={title} required maxLength={200} />
    </label>
    <label className="block text-sm">
      <span className="mb-1 block font-medium">Summary</span>
      <input className="field w-full" name="summary" defaultValue={summary} maxLength={500} />
    </label>
    <label className="block text-sm">
      <span className="mb-1 block font-medium">Description, in Markdown</span>
      <textarea className="field w-full" name="description" defaultValue={description} rows={6} maxLength={10_000} />
    </label>
    <p className="text-muted text-sm">
      Readers see the change at once. Licence, publisher and topics stand in the recipe; a summary or description in it
      replaces these at the next release.
    </p>
    <Button type="submit">Save</Button>
  </StudioForm>
);
