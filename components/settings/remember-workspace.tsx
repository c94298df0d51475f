"use client";

import { useEffect } from "react";
import { WORKSPACE_COOKIE } from "./workspace-address";

const YEAR_S = 31_536_000;

/** Makes this workspace the one that pages without a workspace in their URL open in this browser. */
export function RememberWorkspace({ id }: { id: string }) {
  useEffect(() => {
    const secure = window.location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure origin
    document.cookie = `${WORKSPACE_COOKIE}=${id}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax${secure}`;
  }, [id]);
  return null;
}
