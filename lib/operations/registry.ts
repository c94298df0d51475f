import { listAccountEvents, listWorkspaceEvents } from "@/lib/operations/workspace/audit-log";
import { decideAgentRequest } from "./account/agent-consent";
import { changeAddress, confirmNewAddress } from "./account/change-address";
import { deleteAccount } from "./account/delete-account";
import { decideDeviceRequest, getDeviceRequest } from "./account/device-request";
import { downloadCsvInBrowser } from "./account/download-csv-in-browser";
import { downloadRowsCsv, downloadRowsExcel, downloadRowsParquet } from "./account/download-rows-in-browser";
import { changePassword, getAccount, renameAccount } from "./account/own-account";
import {
  addPasskey,
  beginPasskey,
  listPasskeys,
  makeRecoveryCodes,
  proveAccount,
  removePasskey,
} from "./account/passkeys";
import { confirmAddress, requestPasswordReset, requestVerification, resetPassword } from "./account/prove-address";
import { changeView, deleteSavedView, listSavedViews, saveView } from "./account/saved-views";
import { beginSecondStep, finishSecondStep, useRecoveryCode } from "./account/second-step";
import { endSession, listSessions, signOutEverywhere } from "./account/sessions";
import { signUp } from "./account/sign-up";
import { activateBuilt, deactivateBuilt } from "./administrator/activation";
import { changeVisibility, listVisibility } from "./administrator/dataset-visibility";
import { editColumn } from "./administrator/edit-column";
import { editDataset } from "./administrator/edit-dataset";
import { editVersion } from "./administrator/edit-version";
import { harvestSources, showHarvest } from "./administrator/harvest";
import { issueKey, listAllKeys, revokeAnyKey } from "./administrator/keys";
import { listAuditLog } from "./administrator/list-audit";
import { showMaintenance, turnOffMaintenance, turnOnMaintenance } from "./administrator/maintenance";
import {
  deleteUser,
  disableUser,
  enableUser,
  linkUser,
  listUsers,
  removePasskeys,
  showUser,
} from "./administrator/people";
import { listAllSecrets, rotateAllSecrets, setSecretHosts } from "./administrator/source-credentials";
import { listAllWatches, listWatchDeliveries } from "./administrator/watches";
import { withdrawVersion } from "./administrator/withdraw-version";
import { addToWorkspace, changeRole, removeFromWorkspace } from "./administrator/workspace-members";
import { changePlan, listAllWorkspaces, newWorkspace, showWorkspace } from "./administrator/workspaces";
import { approveFullRun, decideRun } from "./approvals/approve-run";
import { getApproval } from "./approvals/get-approval";
import { setApprovalPolicy } from "./approvals/set-approval-policy";
import { archiveDataset } from "./archive-dataset";
import { compareVersions } from "./compare-versions";
import { connectDataset } from "./connect-dataset";
import { activateDataset, deactivateDataset } from "./datasets/activate-dataset";
import { createDataset } from "./datasets/create-dataset";
import { deleteAnyDataset, deleteDataset } from "./datasets/delete-dataset";
import { getMyDataset, listMyDatasets, updateDataset } from "./datasets/own-datasets";
import { writeNote } from "./datasets/write-note";
import { downloadCurrent } from "./download-current";
import { downloadDifference, downloadDifferenceCsv } from "./download-difference";
import { getCitation } from "./get-citation";
import { getCroissant } from "./get-croissant";
import { getDataPackage } from "./get-data-package";
import { getDataset } from "./get-dataset";
import { getFacets } from "./get-facets";
import { getLineage } from "./get-lineage";
import { getReadings } from "./get-readings";
import { getRow } from "./get-row";
import { getSchema } from "./get-schema";
import { getVersion } from "./get-version";
import { hostedCurrent } from "./hosted/hosted-current";
import { hostedFreshness } from "./hosted/hosted-freshness";
import { listVersions } from "./list-versions";
import { type AnyOperation, isRouted, type RoutedOperation } from "./operation";
import {
  archiveInBrowser,
  downloadDifferenceCsvInBrowser,
  downloadDifferenceInBrowser,
  downloadInBrowser,
  getSchemaInBrowser,
  profileRowsInBrowser,
  queryChangesInBrowser,
  queryTableInBrowser,
} from "./own-browser";
import { previewTable } from "./preview-table";
import { profileTableRows, profileTableRowsAnonymously } from "./profile-rows";
import { queryChanges } from "./query-changes";
import { queryTable, queryTableAnonymously, queryTableForChart } from "./query-table";
import { listRevisions } from "./recipes/list-revisions";
import { normalizeReaderOptions } from "./recipes/normalize-reader-options";
import { proposeRevision } from "./recipes/propose-revision";
import { registerRecipe } from "./recipes/register-recipe";
import { showRecipe } from "./recipes/show-recipe";
import { diagnoseTable } from "./releases/diagnose-table";
import { getTable } from "./releases/get-table";
import { listReleases } from "./releases/list-releases";
import { promoteTable } from "./releases/promote-table";
import { withdrawOwnVersion } from "./releases/withdraw-own-version";
import { cancelRun } from "./runs/cancel-run";
import { confirmRun } from "./runs/confirm-run";
import { describeRunTable } from "./runs/describe-run-table";
import { getRun, runEvents } from "./runs/get-run";
import { listRuns } from "./runs/list-runs";
import { queryRun, queryRunInBrowser } from "./runs/query-run";
import { replayRun } from "./runs/replay-run";
import { getArtifactDownload, runArtifacts } from "./runs/run-artifacts";
import { startRun } from "./runs/start-run";
import { stepRows } from "./runs/step-rows";
import { searchDatasets, searchPrivateDatasets } from "./search-datasets";
import { catalogSearch } from "./search-sources";
import { getSourceInspection, startSourceInspection } from "./sources/inspect-source";
import { listSourceCredentials } from "./sources/list-source-credentials";
import { deleteUpload, listUploads, storeUpload } from "./sources/uploads";
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
import { createKey, listKeys, renameKey, replaceKey, revokeKey } from "./workspace/keys";
import { leaveWorkspace, listMembers, removeMember, setMemberRole } from "./workspace/members";
import {
  changeSecretHosts,
  createSecret,
  deleteSecret,
  listSecrets,
  replaceSecret,
  testSecret,
} from "./workspace/secrets";
import { getUsage, listConnectedDatasets } from "./workspace/usage";
import {
  changeWatch,
  createWatch,
  deleteWatch,
  listDeliveries,
  listWatches,
  replaceWatchSecret,
  resendDelivery,
  testWatch,
} from "./workspace/watches";
import { createWorkspace, deleteWorkspace, getWorkspace, renameWorkspace } from "./workspace/workspaces";

/** Every operation, in the order of the documents made from it. */
export const OPERATIONS: readonly AnyOperation[] = [
  searchDatasets,
  getFacets,
  getDataset,
  getCroissant,
  getDataPackage,
  getCitation,
  getSchema,
  previewTable,
  getRow,
  listVersions,
  compareVersions,
  getVersion,
  getLineage,
  getReadings,
  queryTableAnonymously,
  queryTableForChart,
  queryTable,
  queryChanges,
  profileTableRowsAnonymously,
  profileTableRows,
  downloadCurrent,
  downloadDifference,
  downloadDifferenceCsv,
  hostedCurrent,
  hostedFreshness,
  archiveDataset,
  catalogSearch,
  queryTableInBrowser,
  getSchemaInBrowser,
  queryChangesInBrowser,
  profileRowsInBrowser,
  downloadInBrowser,
  downloadCsvInBrowser,
  archiveInBrowser,
  downloadDifferenceInBrowser,
  downloadDifferenceCsvInBrowser,
  downloadRowsCsv,
  downloadRowsParquet,
  downloadRowsExcel,
  signUp,
  requestVerification,
  confirmAddress,
  requestPasswordReset,
  resetPassword,
  getAccount,
  renameAccount,
  changePassword,
  changeAddress,
  confirmNewAddress,
  deleteAccount,
  listSessions,
  beginSecondStep,
  finishSecondStep,
  useRecoveryCode,
  listPasskeys,
  proveAccount,
  beginPasskey,
  addPasskey,
  removePasskey,
  makeRecoveryCodes,
  endSession,
  signOutEverywhere,
  listAccountEvents,
  saveView,
  listSavedViews,
  changeView,
  deleteSavedView,
  decideAgentRequest,
  getDeviceRequest,
  decideDeviceRequest,
  createWorkspace,
  getWorkspace,
  renameWorkspace,
  deleteWorkspace,
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
  renameKey,
  replaceKey,
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
  changeSecretHosts,
  testSecret,
  deleteSecret,
  listWatches,
  createWatch,
  changeWatch,
  replaceWatchSecret,
  testWatch,
  deleteWatch,
  listDeliveries,
  resendDelivery,
  getUsage,
  listConnectedDatasets,
  searchPrivateDatasets,
  connectDataset,
  listWorkspaceEvents,
  createDataset,
  deleteDataset,
  updateDataset,
  listMyDatasets,
  getMyDataset,
  registerRecipe,
  proposeRevision,
  startRun,
  confirmRun,
  approveFullRun,
  decideRun,
  getApproval,
  cancelRun,
  getRun,
  runEvents,
  listReleases,
  listRevisions,
  listRuns,
  queryRun,
  queryRunInBrowser,
  describeRunTable,
  replayRun,
  runArtifacts,
  stepRows,
  getArtifactDownload,
  promoteTable,
  activateDataset,
  deactivateDataset,
  showRecipe,
  setApprovalPolicy,
  withdrawOwnVersion,
  storeUpload,
  listUploads,
  deleteUpload,
  writeNote,
  listSourceCredentials,
  normalizeReaderOptions,
  startSourceInspection,
  getSourceInspection,
  getTable,
  diagnoseTable,
  listVisibility,
  changeVisibility,
  deleteAnyDataset,
  activateBuilt,
  deactivateBuilt,
  editDataset,
  editVersion,
  withdrawVersion,
  editColumn,
  listAuditLog,
  listUsers,
  showUser,
  linkUser,
  removePasskeys,
  disableUser,
  enableUser,
  deleteUser,
  listAllWorkspaces,
  showWorkspace,
  newWorkspace,
  changePlan,
  addToWorkspace,
  changeRole,
  removeFromWorkspace,
  issueKey,
  listAllKeys,
  revokeAnyKey,
  harvestSources,
  showHarvest,
  listAllSecrets,
  rotateAllSecrets,
  setSecretHosts,
  listAllWatches,
  listWatchDeliveries,
  turnOnMaintenance,
  turnOffMaintenance,
  showMaintenance,
];

/** Those available over HTTP. */
export const ROUTED: readonly RoutedOperation[] = OPERATIONS.filter(isRouted);
