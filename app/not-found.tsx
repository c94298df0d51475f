import { NotFoundView } from "@/components/site/not-found-view";
import { NOT_FOUND } from "./missing";

export const metadata = NOT_FOUND;

/** For addresses that no page takes. */
export default function NotFound() {
  return <NotFoundView />;
}
