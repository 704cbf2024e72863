import fc from 'fast-check'
import './traces.ts'

/** The same cases in every run, so that a failure can be had again; SEED=N tries others. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20261120) })
