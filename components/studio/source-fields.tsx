import type { ReactNode } from "react";

/** Where a source is: an address, or a package of the registry. A plain form's fields. */
export const SourceFields = ({ note }: { note?: ReactNode }) => (
  <>
    <label className="block">
      <span className="mb-1 block font-medium text-sm">Address of the source</span>
      <input type="url" name="address" maxLength={2000} autoComplete="off" placeholder="https://" className="field" />
      <span className="mt-1 block text-muted text-xs">
        A file or a query on the web: CSV, JSON, Excel or Parquet, also in an archive. {note}
      </span>
    </label>
    <details>
      <summary className="cursor-pointer text-sm">A file of an npm package instead</summary>
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
          <span className="mb-1 block font-medium text-sm">File in it</span>
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
