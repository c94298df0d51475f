import { StudioForm } from "@/components/form/studio-form";
import { Button } from "@/components/ui/button";
import { CopiedId } from "@/components/ui/copied-id";
import { formatPlural } from "@/lib/kernel/format";
import type { ApprovalView } from "@/lib/operations/approvals/get-approval";

interface Props {
  view: ApprovalView;
  fields: Readonly<Record<string, string>>;
}

/** The decision about a run, or about publishing its sealed result: a plain form. */
export function ApprovalForm({ view, fields }: Props) {
  const { decides, recipe_digest, has_failed_checks, asks_password } = view;
  return (
    <StudioForm fields={fields} className="max-w-3xl space-y-5 rounded-lg border border-line bg-raised p-4 sm:p-5">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
        <span className="text-muted">Your decision applies to exactly this recipe</span>
        <CopiedId text={recipe_digest ?? ""} label="recipe digest" />
      </p>
      <Consequence view={view} />
      {has_failed_checks && decides === "run" && (
        <label className="flex items-start gap-2.5 text-sm">
          <input type="checkbox" name="accept_failed_checks" value="yes" className="mt-0.5" />
          <span>Error checks failed on the sample. I have reviewed and accept the failures.</span>
        </label>
      )}
      {asks_password && (
        <label className="block">
          <span className="mb-1 block font-medium text-sm">Your password</span>
          <input type="password" name="password" required autoComplete="current-password" className="field max-w-sm" />
          <span className="mt-1 block text-muted text-xs">You signed in more than 12 hours ago.</span>
        </label>
      )}
      <div className="flex flex-wrap gap-3">
        <Approvals view={view} />
      </div>
      <div className="flex flex-wrap items-end gap-3 border-line border-t pt-4">
        <label className="min-w-0 grow basis-60">
          <span className="mb-1 block font-medium text-sm">Reason for declining</span>
          <input type="text" name="reason" maxLength={500} autoComplete="off" className="field" />
        </label>
        <Button type="submit" name="decision" value="decline">
          Decline
        </Button>
      </div>
      <p className="text-muted text-xs">The requester will see the reason.</p>
    </StudioForm>
  );
}

/** What a publication or an activation makes available, and to whom. */
function Consequence({ view: { decides, publish, tables } }: { view: ApprovalView }) {
  const [first] = tables;
  const what = tables.length === 1 && first ? first.slug : formatPlural(tables.length, "table");
  if (decides === "publication")
    return (
      <p className="text-sm">
        Everyone will be able to find, query and download <strong className="font-medium">{what}</strong> under{" "}
        {publish.license}. It can’t be made private again, but an owner can withdraw it.
      </p>
    );
  if (decides !== "activation") return null;
  return (
    <p className="text-sm">
      Programs with a live key of the workspace will be able to read <strong className="font-medium">{what}</strong> at
      a fixed URL. An owner can deactivate it again.
    </p>
  );
}

function Approvals({ view }: { view: ApprovalView }) {
  const { decides, may_publish, visibility, asked } = view;
  const isPublic = visibility === "public";
  if (decides !== "run" && !may_publish)
    return <p className="text-muted text-sm">Publishing and activating require an owner of the workspace.</p>;
  if (decides === "activation")
    return (
      <Button type="submit" look="primary" name="decision" value="approve_active">
        Activate
      </Button>
    );
  if (decides === "publication")
    return (
      <>
        <Button type="submit" look="primary" name="decision" value="approve_public">
          Publish
        </Button>
        {asked?.after_seal.activate && (
          <Button type="submit" name="decision" value="approve_public_active">
            Publish and activate
          </Button>
        )}
      </>
    );
  return (
    <>
      <Button type="submit" look="primary" name="decision" value="approve_current">
        Approve and make current
      </Button>
      <Button type="submit" name="decision" value="approve">
        Approve the run only
      </Button>
      {may_publish && !isPublic && (
        <Button type="submit" name="decision" value="approve_public">
          Approve and publish to everyone
        </Button>
      )}
      {may_publish && asked?.after_seal.activate && (
        <Button type="submit" name="decision" value={isPublic ? "approve_public_active" : "approve_active"}>
          Approve, make current and activate
        </Button>
      )}
    </>
  );
}
