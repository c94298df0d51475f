import type { MetadataRoute } from "next";
import { PALETTE } from "@/components/picture/palette";

/** What a browser needs to install the site as an application. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: "Parquetry",
    short_name: "Parquetry",
    description: "Open data as immutable Parquet: search, preview, query and download real open datasets.",
    start_url: "/datasets",
    display: "browser",
    background_color: PALETTE.paper,
    theme_color: PALETTE.accent,
    icons: [
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png", purpose: "any" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
