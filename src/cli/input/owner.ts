import { readFileSync } from 'node:fs'

/** A line that identifies this process, written where something belongs to it. */
export function ownLine(): string {
  return `${process.pid} ${startOf(process.pid) ?? ''}\n`
}

/** The number of the process in such a line; `?` where there is none. */
export function processIn(owner: string | undefined): string {
  return /^\d+/.exec(owner ?? '')?.[0] ?? '?'
}

/** Whether the process that left such a line is there. */
export function isProcessAlive(owner: string): boolean {
  const [pid, start] = owner.trim().split(' ')
  const number = Number(pid)
  if (!Number.isInteger(number) || number <= 0) return false
  try {
    process.kill(number, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (isOver(number)) return false
  // Process ids are reused: where the system gives it, the start time shows whether it is the same process.
  const now = startOf(number)
  return now === undefined || start === undefined || start === now
}

/** The system's facts of a process after its name; undefined where there are none. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Whether a process is a zombie: in a container, its parent may never collect it. */
function isOver(pid: number): boolean {
  return /^[ZX]$/.test(statOf(pid)?.[0] ?? '')
}

/** When a process started, in ticks of the system; undefined where unknown. */
function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19]
}
