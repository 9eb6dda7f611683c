import type { Artifact, ArtifactType } from '../contract/result.ts'

const OUTPUTS = '/mnt/user-data/outputs/'

const TYPES: Readonly<Record<Exclude<ArtifactType, 'other'>, string>> = {
  markdown: 'md mdx markdown',
  text: 'txt log text rst',
  code: 'js mjs cjs ts mts cts jsx tsx py rb go rs java kt c h cc cpp hpp cs php sh bash zsh sql html css scss vue svelte swift lua r pl',
  data: 'json jsonl ndjson csv tsv yaml yml toml xml parquet sqlite db ini',
  image: 'png jpg jpeg gif svg webp bmp tif tiff ico avif',
  document: 'pdf doc docx ppt pptx xls xlsx odt ods odp rtf epub',
  archive: 'zip tar gz tgz bz2 xz 7z rar zst',
}

const BY_EXTENSION = new Map(
  Object.entries(TYPES).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension) => [extension, type as ArtifactType]),
  ),
)

/** The files under outputs, each once, with the type its extension names. Source: decision 18. */
export const artifactsOf = (files: readonly string[]): readonly Artifact[] =>
  [...new Set(files)]
    .filter((path) => path.startsWith(OUTPUTS))
    .map((path) => ({ path, type: BY_EXTENSION.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? 'other' }))
