import { redirect } from "next/navigation";

export const dynamic = "force-dynamic";

/** The short URL of the form that publishes a file. */
export default function PublishPage() {
  redirect("/studio/new/publish");
}
