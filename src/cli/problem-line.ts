import { describeProblem } from '../config/load.ts'
import type { Problem } from '../contract/errors.ts'
import { oneLine } from './view/text.ts'

/** A problem of a config as one line for a person. */
export const problemLine = ({ nearest, ...problem }: Problem): string =>
  describeProblem({
    ...problem,
    path: oneLine(problem.path),
    message: oneLine(problem.message),
    ...(nearest !== undefined && { nearest: oneLine(nearest) }),
  })
