// SPDX-License-Identifier: Apache-2.0
// The schemas that have a name in the OpenAPI document. Code generators make a type of each.
import type { TSchema } from 'typebox';
import { consoleSessionResponse, meResponse } from '../../../platform/access/contract/accessContract.ts';
import { openedSession, sessionSummary, sessionTrace, timelineResponse } from '../../contract/airContract.ts';
import { alertEvent, alertResponse, alertRuleBody, alertRuleResponse } from '../../../platform/alerts/contract/alertContract.ts';
import { assetBody, assetResponse, assetsAdded } from '../../contract/assetContract.ts';
import { auditEntry } from '../../../platform/audit/contract/auditContract.ts';
import { beaconRow, hostRow } from '../../contract/beaconContract.ts';
import { channelBody, channelResponse } from '../../contract/channelContract.ts';
import { errorResponse } from '../../contract/commonContract.ts';
import { importBody, importResponse, installationResponse, onAirResponse } from '../../contract/consoleContract.ts';
import { deletedResponse, restoredResponse } from '../../../platform/deleted/contract/deletedContract.ts';
import { namesResponse } from '../../contract/listContract.ts';
import {
  confirmationsBody,
  confirmationsResult,
  feedRequestBody,
  openedFeed,
  readiness,
  trackingFeed,
} from '../../contract/playerContract.ts';
import { generatedPlaylist, playlistBody, playlistResponse } from '../../contract/playlistContract.ts';
import { reportResponse } from '../../../platform/reports/contract/reportContract.ts';
import { itemStatus } from '../../contract/statusContract.ts';
import {
  keyBody,
  keyResponse,
  newKeyResponse,
  rotationBody,
  systemBody,
  systemResponse,
} from '../../../platform/access/contract/tenantContract.ts';
import { adTry, breakReplay, replayBody, tryBody } from '../../../platform/tries/contract/tryContract.ts';
import {
  deliveryResponse,
  newWebhookResponse,
  secretRotationBody,
  webhookBody,
  webhookResponse,
} from '../../../platform/alerts/contract/webhookContract.ts';

export const named: Readonly<Record<string, TSchema>> = {
  SystemBody: systemBody,
  System: systemResponse,
  PlaylistBody: playlistBody,
  Playlist: playlistResponse,
  GeneratedPlaylist: generatedPlaylist,
  ItemStatus: itemStatus,
  ChannelBody: channelBody,
  Channel: channelResponse,
  Timeline: timelineResponse,
  SessionSummary: sessionSummary,
  SessionTrace: sessionTrace,
  TryBody: tryBody,
  AdTry: adTry,
  ReplayBody: replayBody,
  BreakReplay: breakReplay,
  Report: reportResponse,
  AssetBody: assetBody,
  Asset: assetResponse,
  AddedAssets: assetsAdded,
  KeyBody: keyBody,
  Rotation: rotationBody,
  Key: keyResponse,
  NewKey: newKeyResponse,
  DeletedRecord: deletedResponse,
  RestoredRecord: restoredResponse,
  Me: meResponse,
  ConsoleSession: consoleSessionResponse,
  AuditEntry: auditEntry,
  Beacon: beaconRow,
  BeaconHost: hostRow,
  Installation: installationResponse,
  Names: namesResponse,
  OnAirChannel: onAirResponse,
  Source: importBody,
  SourceCheck: importResponse,
  OpenedSession: openedSession,
  FeedRequest: feedRequestBody,
  OpenedFeed: openedFeed,
  TrackingFeed: trackingFeed,
  Confirmations: confirmationsBody,
  ConfirmationsResult: confirmationsResult,
  Readiness: readiness,
  AlertRuleBody: alertRuleBody,
  AlertRule: alertRuleResponse,
  Alert: alertResponse,
  AlertEvent: alertEvent,
  WebhookBody: webhookBody,
  Webhook: webhookResponse,
  NewWebhook: newWebhookResponse,
  SecretRotation: secretRotationBody,
  Delivery: deliveryResponse,
  Error: errorResponse,
};

/** Bodies of PATCH requests, by the names of their operations. */
export const patched: Readonly<Record<string, TSchema>> = {
  patchSystem: systemBody,
  patchPlaylist: playlistBody,
  patchChannel: channelBody,
  patchAlertRule: alertRuleBody,
  patchWebhook: webhookBody,
};
