import type { ReactNode } from "react";

/** Where a source is: a URL, or a package of the registry. Fields of a plain form. */
export const SourceFields = ({ note }: { note?: ReactNode }) => (
  <>
    <label className="block">
      <span className="mb-1 block font-medium text-sm">Source URL</span>
      <input type="url" name="address" maxLength={2000} autoComplete="off" placeholder="https://" className="field" />
      <span className="mt-1 block text-muted text-xs">
        A file or query on the web: CSV, JSON, Excel or Parquet, optionally in an archive. {note}
      </span>
    </label>
    <details>
      <summary className="cursor-pointer text-sm">Use a file from an npm package instead</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <label className="block">
          <span className="mb-1 block font-medium text-sm">Package</span>
          <input
            type="text"
            name="package"
            maxLength={200}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="mime-db"
            className="field"
          />
        </label>
        <label className="block">
          <span className="mb-1 block font-medium text-sm">File in the package</span>
          <input
            type="text"
            name="file"
            maxLength={500}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="db.json"
            className="field"
          />
        </label>
      </div>
    </details>
  </>
);
