// SPDX-License-Identifier: Apache-2.0
// Compressed JSON: records of breaks contain ad responses, which are XML.
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/**
 * A record contains its tracking URLs twice: in the ad response, and as read from it. The window of Brotli (4 MiB) reaches the first
 * ones, that of DEFLATE (32 KiB) does not. Higher qualities take longer and save 2 % at most.
 */
const params = { [constants.BROTLI_PARAM_QUALITY]: 2 };

/** Not in the serving thread. */
export const pack = (value: unknown): Promise<Buffer> => compress(JSON.stringify(value), { params });

export const unpack = async <Value>(bytes: Uint8Array): Promise<Value> =>
  JSON.parse((await decompress(bytes)).toString('utf8')) as Value;
