// SPDX-License-Identifier: Apache-2.0
// The settings of the object store of media.
import { Type } from 'typebox';

export const objectStoreSettings = {
  MEDIA_URL: Type.Optional(
    Type.String({
      format: 'media',
      description:
        'Object store for conditioned media: `s3://bucket/prefix`, `azure://account/container/prefix` or `file:///path`. Default: DATA_DIR/media.',
    }),
  ),
  MEDIA_PUBLIC_URL: Type.Optional(
    Type.String({
      pattern: '^(signed|https?://[^\\s?#]+)$',
      expected: 'signed, or an http or https URL without parameters',
      description: 'Where players read ads in MEDIA_URL: `signed` URLs of the store, or its public URL. Default: here.',
    }),
  ),
  MEDIA_CACHE_GB: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 20,
    description: 'Maximum size of the cache of MEDIA_URL in DATA_DIR, in GiB.',
  }),
  AZURE_STORAGE_KEY: Type.Optional(
    Type.String({ description: 'Access key of the storage account in MEDIA_URL (`azure://`).' }),
  ),
};
