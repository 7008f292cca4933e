CREATE MACRO pid_of_gpu(gpu) AS 16777217 + gpu;
