// SPDX-License-Identifier: Apache-2.0
// Ad sources: create, read, update, delete and list. The key of a client certificate is never returned.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { adSourceFaults, adSourceFields } from '../../../channels/adSourceFaults.ts';
import type { AdSourceRecord, AdSourceSettings, ClientCertificate } from '../../../channels/demand.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { ChannelStore, Versioned } from '../../../channels/ports.ts';
import { HOOK_SOURCE } from '../../../demand/hooks/adsHook.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { pageHeaderDocs, pageHeaders, readPlace } from '../../../http/admin/request/readListing.ts';
import { pageQuery, readQuery } from '../../../http/admin/request/readQuery.ts';
import {
  type AdminRequest,
  type KeyedRoute,
  ok,
  tagged,
  type UntaggedRoute,
} from '../../../http/admin/request/route.ts';
import { crudRoutes, type Kind, withoutSecrets } from '../../../http/admin/routes/crud.ts';
import { sourceWarnings } from '../../../http/admin/routes/demandWarnings.ts';
import { ownSourceIds } from '../../../http/admin/routes/ownRecords.ts';
import { type DiscardRecord, recordNotFound, restoreHeader, showRecord } from '../../../http/admin/routes/record.ts';
import { isRecordId, readOnlyFields } from '../../../http/contract/commonContract.ts';
import { adSourceFilter } from '../../../http/contract/listContract.ts';
import type { Millis } from '../../../time/units.ts';
import { type AdSourceBody, adSourceBody, adSourceResponse } from '../contract/adSourceContract.ts';
import { certificateFaults, showCertificate } from '../rules/clientCertificate.ts';
import { type AdSourceStore, MAX_AD_SOURCES } from '../rules/ports.ts';

type Deps = {
  readonly adSources: AdSourceStore;
  readonly channels: ChannelStore;
  readonly discard: DiscardRecord;
  readonly now: () => Millis;
};

/** The ad server can require a token in a header. Prices, also of the deals in a template, are shown as little as those of ads. */
const SECRETS = ['headers', 'template', 'floor', 'floorPerSecond'];
const MAX_NAMED = 10;
const RESERVED = `must not be "${HOOK_SOURCE}", which names the ads that a hook adds`;

const listQuery = Type.Object({ ...pageQuery.properties, ...adSourceFilter });

const certificateOf = (source: AdSourceRecord | undefined): ClientCertificate | undefined =>
  source === undefined || source.type === 'house' ? undefined : source.clientCertificate;

/** The certificate and the key that were not sent are kept. */
function certificateFor(
  { certificate, key, hosts }: NonNullable<AdSourceBody['clientCertificate']>,
  previous: AdSourceRecord | undefined,
): object {
  const pair = certificate === undefined && key === undefined ? certificateOf(previous) : { certificate, key };
  return {
    certificate: pair?.certificate,
    key: pair?.key,
    ...(hosts ? { hosts: hosts.map((host) => host.toLowerCase()) } : {}),
  };
}

function show(source: Versioned<AdSourceRecord>): Record<string, unknown> {
  const { clientCertificate: _, ...record } = showRecord(source);
  const certificate = certificateOf(source);
  return certificate === undefined ? record : { ...record, clientCertificate: showCertificate(certificate) };
}

export function adSourceRoutes({ adSources, channels, discard, now }: Deps): KeyedRoute[] {
  /** @throws {AppError} CONFLICT */
  async function refuseUsed({ tenant, id }: AdSourceRecord): Promise<void> {
    const { total, items } = await channels.list(tenant, { offset: 0, limit: MAX_NAMED, adSource: id });
    if (total === 0) return;
    const ids = items.map((channel) => channel.id);
    const more = total > ids.length ? `, and ${total - ids.length} more` : '';
    const named = ids.map((one) => JSON.stringify(one)).join(', ');
    const message = `Ad source "${id}" is in the steps of ${total === 1 ? 'channel' : 'channels'} ${named}${more}. Remove it there first.`;
    throw new AppError('CONFLICT', message, { data: [fieldError('used', '', message, { channels: ids })] });
  }

  const kind: Kind<AdSourceRecord, AdSourceBody> = {
    noun: 'ad source',
    operation: 'AdSource',
    tag: 'ad-sources',
    path: '/api/v2/ad-sources',
    body: adSourceBody,
    response: adSourceResponse,
    ignored: [...readOnlyFields, 'warnings'],
    store: {
      ...adSources,
      async insert(source, entry) {
        if (await adSources.insert(source, entry)) return true;
        if ((await adSources.find(source.tenant, source.id)) !== undefined) return false;
        throw new AppError('CONFLICT', `A tenant can have ${MAX_AD_SOURCES} ad sources. Delete one first.`);
      },
    },
    async discard(source, request) {
      const headers = await discard('ad source', source, request);
      if (headers === undefined) await refuseUsed(source);
      return headers;
    },
    discarding: { headers: restoreHeader, errors: [409] },
    now,
    newId: randomUUID,
    isId: isRecordId,
    faults: async (fields, _, previous) => [
      ...(fieldsOf(fields).id === HOOK_SOURCE ? [fieldError('reserved', '/id', RESERVED)] : []),
      ...adSourceFaults(fields),
      ...certificateFaults(fieldsOf(fields).clientCertificate, certificateOf(previous)),
    ],
    make({ name, labels, type, clientCertificate, ...fields }, previous) {
      const given: Record<string, unknown> = {
        ...fields,
        ...(clientCertificate ? { clientCertificate: certificateFor(clientCertificate, previous) } : {}),
      };
      const settings = adSourceFields[type].flatMap((field) =>
        given[field] === undefined ? [] : [[field, given[field]]],
      );
      return {
        ...(name === undefined ? {} : { name }),
        ...(labels === undefined ? {} : { labels }),
        ...({ type, ...Object.fromEntries(settings) } as AdSourceSettings),
      };
    },
    async show(source) {
      const warnings = sourceWarnings(source);
      return warnings.length > 0 ? { ...show(source), warnings } : show(source);
    },
    changed: () => {},
    example: {
      id: 'direct',
      body: {
        name: 'Direct sales',
        type: 'vast',
        url: 'https://ads.example.com/vast?cb=[CACHEBUSTING]&len=[BREAK_DURATION]',
        maxPerSecond: 200,
      },
      patch: { timeoutMs: 1000 },
    },
  };
  const { find: _, create, read, ...others } = crudRoutes(kind);

  const list: UntaggedRoute = {
    channelAccess: 'filtered',
    method: 'GET',
    path: kind.path,
    operationId: 'listAdSources',
    summary: 'List, filter, search and sort ad sources',
    query: listQuery,
    response: ok('A page of ad sources.', Type.Array(adSourceResponse), pageHeaderDocs),
    handle: async ({ caller, query }) => {
      const { q, type, label, ...given } = readQuery(listQuery, query);
      const place = readPlace(given);
      const ids = await ownSourceIds(channels, caller);
      const page = await adSources.list(caller.tenant, { ...place, search: q, type, labels: label, ids });
      return { status: 200, headers: pageHeaders(place.sort, page), json: page.items.map(show) };
    },
  };

  const readOwn: KeyedRoute = {
    ...read,
    channelAccess: 'filtered',
    handle: async (request: AdminRequest) => {
      const { id = '' } = request.params;
      const own = await ownSourceIds(channels, request.caller);
      if (own?.includes(id) === false) throw recordNotFound(kind.noun, id);
      return read.handle(request);
    },
  };

  return tagged('ad-sources', [
    withoutSecrets(list, SECRETS),
    create,
    withoutSecrets(readOwn, SECRETS),
    ...Object.values(others),
  ]);
}
