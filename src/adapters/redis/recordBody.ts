// SPDX-License-Identifier: Apache-2.0
// Records of breaks and presentations as they are stored: compressed JSON, since they contain the ad responses, which are XML.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { hasAds } from '../../sessions/retention.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/**
 * A record contains its tracking URLs twice: in the ad response, and as read from it. The window of Brotli (4 MiB) reaches the first
 * ones, that of DEFLATE (32 KiB) does not. Higher qualities take longer and save 2 % at most.
 */
const params = { [constants.BROTLI_PARAM_QUALITY]: 2 };

/** Not in the serving thread. */
export const pack = (value: unknown): Promise<Buffer> => compress(JSON.stringify(value), { params });

export const unpack = async <Value>(bytes: Buffer): Promise<Value> =>
  JSON.parse((await decompress(bytes)).toString('utf8')) as Value;

/** Whether viewers got ads (`1` or `0`), then what identifies the record: versions may compress the same record differently. */
export const digestOf = (record: BreakRecord): string =>
  (hasAds(record) ? '1' : '0') + createHash('sha1').update(JSON.stringify(record)).digest('base64url').slice(0, 16);
