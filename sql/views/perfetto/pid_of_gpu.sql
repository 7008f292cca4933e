-- Macro `pid_of_gpu`: the process id that stands for a GPU. The numbers follow that of the steps.
CREATE MACRO pid_of_gpu(gpu) AS 16777217 + gpu;
