"""The scripts of an export on Spark: spark.py FOLDER LOG MASTER. FOLDER has load.sql and decide.sql. Prints a line of JSON."""

import json
import os
import sys
import tempfile
import time

from pyspark.sql import SparkSession


def session(master):
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    scratch = tempfile.mkdtemp()
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.executor.memory": "3g",
        "spark.local.dir": scratch,
        "spark.sql.warehouse.dir": os.path.join(scratch, "warehouse"),
    }
    builder = SparkSession.builder.master(master)
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def cpu_seconds(application, scratch):
    """CPU seconds of the process that plans (driver) and of those that run tasks (executors), as Linux has them."""
    found = {"driver": 0, "executors": []}
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = open(f"/proc/{process}/cmdline").read()
            fields = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if "CoarseGrainedExecutorBackend" in command and application in command:
            found["executors"].append(seconds)
        elif "SparkSubmit" in command and scratch in command:
            found["driver"] = seconds
    return found


def main(folder, log, master):
    started = time.time()
    spark = session(master)
    spark.sparkContext.setLogLevel("ERROR")
    ready = time.time()
    spark.sql(f"CREATE TABLE log USING parquet LOCATION '{os.path.abspath(log)}'")
    has = set(spark.table("log").columns)
    columns = ["id", "identity", "action", "resource"]
    for name, source, kind in (("at_ms", "at", "BIGINT"), ("ip", "ip", "STRING")):
        columns.append(f"{source} AS {name}" if source in has else f"CAST(NULL AS {kind}) AS {name}")
    columns += [f"CAST(NULL AS STRING) AS {name}" for name in ("grps", "tags", "owner")]
    spark.sql(f"CREATE VIEW gw_call AS SELECT {', '.join(columns)} FROM log")

    def run(name):
        text = open(os.path.join(folder, name), encoding="utf-8").read()
        for statement in text.split(";\n"):
            if statement.strip():
                spark.sql(statement.replace("`tables/", f"`{os.path.abspath(folder)}/tables/"))

    run("load.sql")
    loaded = time.time()
    run("decide.sql")
    decided = time.time()
    counts = spark.sql("SELECT gw_verdict, count(*) FROM gw_decision GROUP BY gw_verdict ORDER BY 1").collect()
    ended = time.time()
    spans = {"start": ready - started, "load": loaded - ready, "decide": decided - loaded, "count": ended - decided, "all": ended - started}
    cpu = cpu_seconds(spark.sparkContext.applicationId, spark.conf.get("spark.local.dir"))
    seconds = {name: round(span, 1) for name, span in spans.items()}
    print(json.dumps({"master": master, "seconds": seconds, "cpu": cpu, "verdicts": {row[0]: row[1] for row in counts}}))
    spark.stop()


main(*sys.argv[1:])
