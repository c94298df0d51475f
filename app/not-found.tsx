import { NotFoundView } from "@/components/site/not-found-view";
import { NOT_FOUND } from "./missing";

export const metadata = NOT_FOUND;

/** For URLs without a page. */
export default function NotFound() {
  return <NotFoundView />;
}
