import { DocPage, docMetadata } from "./doc-page";

export const dynamic = "force-dynamic";
export const metadata = docMetadata("");

export default function FirstDocPage() {
  return <DocPage slug="" />;
}
