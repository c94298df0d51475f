import { securityTxt } from "@/lib/describe/security-txt";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { serveDocument } from "@/lib/http/serve-document";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDocument(
  "text/plain; charset=utf-8",
  (_path, ctx) => {
    const contact = env().PARQUETRY_CONTACT;
    if (!contact) throw fail("not_found"); // the file means nothing without a contact (RFC 9116 section 2.5.3)
    return securityTxt(contact, ctx.baseUrl, ctx.now());
  },
);
