import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import "./globals.css";
import localFont from "next/font/local";
import { EarlyActions } from "@/components/site/early-actions";
import { SiteFooter } from "@/components/site/site-footer";
import { SiteHeader } from "@/components/site/site-header";
import { THEME_SCRIPT } from "@/components/site/theme";
import { Toaster } from "@/components/ui/toast";
import { NONCE_HEADER } from "@/lib/http/security-headers";
import { baseUrl, env } from "@/lib/kernel/env";
import { SITE_PICTURE } from "./page-picture";

const TAGLINE = "Open data as immutable Parquet: search, preview, query and download real open datasets.";

/** The base URL is a setting of the running service, which is unknown at build time. */
export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(baseUrl()),
    title: { default: "Parquetry: open data as immutable Parquet", template: "%s · Parquetry" },
    description: TAGLINE,
    applicationName: "Parquetry",
    openGraph: { type: "website", siteName: "Parquetry", images: SITE_PICTURE },
    twitter: { card: "summary_large_image" },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#0e1412" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined;
  return (
    // The theme script writes data-theme before React hydrates.
    <html
      lang="en"
      className={`${inter.variable} ${interExtended.variable} ${jetbrains.variable}`}
      suppressHydrationWarning
    >
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of our own. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      </head>
      <body>
        <SiteHeader />
        <main id="content" className="flex-1">
          {children}
        </main>
        <SiteFooter
          support={env().PARQUETRY_SUPPORT}
          about={env().PARQUETRY_ABOUT_URL}
          terms={env().PARQUETRY_TERMS_URL}
        />
        <Toaster />
        <EarlyActions />
      </body>
    </html>
  );
}

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  variable: "--font-inter",
  weight: "100 900",
  display: "swap",
  adjustFontFallback: false, // it only supports Arial: see app/styles/fonts.css
  fallback: ["InterFallback", "InterFallbackAndroid", "ui-sans-serif", "system-ui"],
});

/** Letters such as ā and ő: loaded if a page contains one. */
const interExtended = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
  variable: "--font-inter-ext",
  weight: "100 900",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
});

const jetbrains = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  variable: "--font-jetbrains",
  weight: "100 800",
  display: "swap",
  preload: false,
  adjustFontFallback: false,
});
