import type { RuntimeStats, TaskStats } from '../contract/api.ts'
import type { Control } from '../control/control.ts'
import type { Clock } from './clock.ts'
import type { Assignment, RunState } from './tracked.ts'

export interface StatsSources {
  readonly control: Control
  readonly clock: Clock
  active(): readonly RunState[]
  threads(): RuntimeStats['threads']
  toolProcesses(): RuntimeStats['tool_processes']
  commands(): RuntimeStats['commands']
}

const statusOf = ({ ref, stop }: Assignment): TaskStats['status'] => {
  if (!ref) return 'queued'
  return stop ? 'stopping' : 'running'
}

/** Counted where the agents live, in shared memory: no thread is asked. */
export const readStats = ({ control, clock, ...sources }: StatsSources): RuntimeStats => {
  const now = clock.now()
  const taskStats = (run: RunState, task: Assignment): TaskStats => {
    const counters = task.ref ? control.counters(task.ref) : { turns: 0, inputTokens: 0, outputTokens: 0, lastTool: 0 }
    const { inputTokens: input_tokens, outputTokens: output_tokens } = counters
    return {
      task_id: task.taskId ?? '',
      run_id: run.id,
      subagent_type: task.subagentType,
      status: statusOf(task),
      turns: counters.turns,
      usage: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
      queued_ms: (task.startedAt ?? now) - task.queuedAt,
      running_ms: task.startedAt === null ? 0 : now - task.startedAt,
      last_tool: run.settings.toolAt(counters.lastTool),
    }
  }
  const active = sources.active()
  const list = active.flatMap((run) =>
    [...run.tasks.values()].filter(({ status }) => status === null).map((task) => taskStats(run, task)),
  )
  const queued = list.filter(({ status }) => status === 'queued').length
  return {
    runs: { active: active.length },
    tasks: { queued, running: list.length - queued, list },
    threads: sources.threads(),
    tool_processes: sources.toolProcesses(),
    commands: sources.commands(),
  }
}
