/**
 * The page of the connector's app as one document, with its script and styles inside: takes about 0.3 s, in a process
 * that then exits. Its policy allows no network, whatever its host does.
 */
export async function buildResultApp(root: string): Promise<string> {
  const { build, stop } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["components/result-app/main.tsx", "components/result-app/main.css"],
    outdir: ".build",
    write: false,
    bundle: true,
    minify: true,
    platform: "browser",
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    jsxDev: false,
    alias: { "react/jsx-runtime": "./components/result-app/jsx-runtime.ts" },
    legalComments: "none",
    logLevel: "error",
  }).finally(stop); // its process would run as long as ours
  const textOf = (kind: string) => outputFiles.find(({ path }) => path.endsWith(kind))?.text.trim() ?? "";
  return page(textOf(".js"), textOf(".css"));
}

const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const page = (script: string, styles: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Result</title>
<style>${styles}</style>
</head>
<body>
<div id="result"></div>
<script>${script}</script>
</body>
</html>
`;
