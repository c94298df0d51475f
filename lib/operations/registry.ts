import { listAccountEvents, listWorkspaceEvents } from "@/lib/operations/workspace/audit-log";
import { decideAgentRequest } from "./account/agent-consent";
import { decideDeviceRequest, getDeviceRequest } from "./account/device-request";
import { changePassword, getAccount, renameAccount } from "./account/own-account";
import { confirmAddress, requestPasswordReset, requestVerification, resetPassword } from "./account/prove-address";
import { endSession, listSessions, signOutEverywhere } from "./account/sessions";
import { signUp } from "./account/sign-up";
import { archiveDataset } from "./archive-dataset";
import { compareVersions } from "./compare-versions";
import { downloadCurrent } from "./download-current";
import { getCitation } from "./get-citation";
import { getCroissant } from "./get-croissant";
import { getDataPackage } from "./get-data-package";
import { getDataset } from "./get-dataset";
import { getFacets } from "./get-facets";
import { getSchema } from "./get-schema";
import { getVersion } from "./get-version";
import { listVersions } from "./list-versions";
import type { AnyOperation } from "./operation";
import { previewTable } from "./preview-table";
import { queryTable, queryTableAnonymously } from "./query-table";
import { searchDatasets } from "./search-datasets";
import { disconnectAgent, listAgents } from "./workspace/agents";
import { openBillingPortal, startCheckout } from "./workspace/billing";
import { listDevices, revokeDevice } from "./workspace/devices";
import {
  acceptInvitation,
  inviteMember,
  listInvitations,
  readInvitation,
  revokeInvitation,
} from "./workspace/invitations";
import { createKey, listKeys, revokeKey } from "./workspace/keys";
import { leaveWorkspace, listMembers, removeMember, setMemberRole } from "./workspace/members";
import { createSecret, deleteSecret, listSecrets, replaceSecret } from "./workspace/secrets";
import { getUsage, listConnectedDatasets } from "./workspace/usage";
import { createWorkspace, getWorkspace, renameWorkspace } from "./workspace/workspaces";

/** Every operation that answers over HTTP, in the order of the documents made from it. */
export const OPERATIONS: readonly AnyOperation[] = [
  searchDatasets,
  getFacets,
  getDataset,
  getCroissant,
  getDataPackage,
  getCitation,
  getSchema,
  previewTable,
  listVersions,
  compareVersions,
  getVersion,
  queryTableAnonymously,
  queryTable,
  downloadCurrent,
  archiveDataset,
  signUp,
  requestVerification,
  confirmAddress,
  requestPasswordReset,
  resetPassword,
  getAccount,
  renameAccount,
  changePassword,
  listSessions,
  endSession,
  signOutEverywhere,
  listAccountEvents,
  decideAgentRequest,
  getDeviceRequest,
  decideDeviceRequest,
  createWorkspace,
  getWorkspace,
  renameWorkspace,
  listMembers,
  setMemberRole,
  removeMember,
  leaveWorkspace,
  listInvitations,
  inviteMember,
  revokeInvitation,
  readInvitation,
  acceptInvitation,
  listKeys,
  createKey,
  revokeKey,
  listAgents,
  disconnectAgent,
  listDevices,
  revokeDevice,
  startCheckout,
  openBillingPortal,
  listSecrets,
  createSecret,
  replaceSecret,
  deleteSecret,
  getUsage,
  listConnectedDatasets,
  listWorkspaceEvents,
];
